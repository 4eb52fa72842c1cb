# syntax=docker/dockerfile:1
# `docker build --tag fireside:dev .` or `buildah bud --tag fireside:dev .`
# BASE is any image with Python 3.11 or newer; PIP_INDEX_URL another package index than pip's own.
ARG BASE=python:3.13-slim

FROM ${BASE} AS wheels
ARG PIP_INDEX_URL=
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
RUN command -v cc > /dev/null || \
    { apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev; }
# The fonts of the pictures: without one a PNG has no texts. The second, of 5 MB, has Chinese, Japanese and Korean glyphs.
RUN test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf -a -e /usr/share/fonts/truetype/wqy/wqy-microhei.ttc || \
    { apt-get update && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-wqy-microhei; }
WORKDIR /source
COPY . .
RUN test -n "$PIP_INDEX_URL" || unset PIP_INDEX_URL; \
    python3 -m venv /opt/fireside && \
    /opt/fireside/bin/pip wheel --wheel-dir /wheels --no-deps . && \
    /opt/fireside/bin/pip install --constraint constraints.txt "$(echo /wheels/fireside-*.whl)[service,tournaments,telemetry]" && \
    /opt/fireside/bin/python -P -c \
      "import engine_core.game as game; assert not game.__file__.endswith('.py'), 'the rules are not compiled'" && \
    /opt/fireside/bin/pip uninstall --yes pip

FROM ${BASE}
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Fireside" \
      org.opencontainers.image.description="Board games as a service: rules, chance, secrecy and fairness behind four calls" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin fireside
COPY --from=wheels /opt/fireside /opt/fireside
COPY --from=wheels /usr/share/fonts/truetype/dejavu /usr/share/fonts/truetype/dejavu
COPY --from=wheels /usr/share/fonts/truetype/wqy /usr/share/fonts/truetype/wqy
ENV PATH="/opt/fireside/bin:${PATH}" PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /tmp
EXPOSE 8080 9464 50051 50052
ENTRYPOINT ["fireside"]
