# syntax=docker/dockerfile:1
# `docker build --tag fireside:dev .` or `buildah bud --tag fireside:dev .`
# BASE is any image with Python 3.11 or newer and its headers; PIP_INDEX_URL another package index than pip's own.
# EXTRAS are what the roles of the image need: tournaments and Dask need all of them, the others only
# `--build-arg EXTRAS=service,telemetry`.
ARG BASE=python:3.13-slim

FROM ${BASE} AS wheels
ARG PIP_INDEX_URL=
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
RUN python3 -c "import sys, sysconfig, pathlib; header = pathlib.Path(sysconfig.get_path('include'), 'Python.h'); \
      header.is_file() or sys.exit(f'BASE has no {header}: the rules cannot be compiled; take an image with the headers of Python')"
RUN command -v cc > /dev/null || \
    { apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev binutils; }
# The fonts of the pictures: without one a PNG has no texts. The second, of 5 MB, has Chinese, Japanese and Korean glyphs.
RUN test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf -a -e /usr/share/fonts/truetype/wqy/wqy-microhei.ttc || \
    { apt-get update && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-wqy-microhei; }
WORKDIR /source
COPY . .
ARG EXTRAS=service,tournaments,telemetry
# Stripped, and without caches of bytecode: an engine compiles what it imports within 1.3 s of processor time. Libraries
# that wheels bring along (`*.libs`) break when they are stripped.
RUN test -n "$PIP_INDEX_URL" || unset PIP_INDEX_URL; \
    python3 -m venv --without-pip /opt/fireside && \
    python3 -m pip wheel --wheel-dir /wheels --no-deps . && \
    python3 -m pip --python /opt/fireside/bin/python install --no-compile --constraint constraints.txt \
      "$(echo /wheels/fireside-*.whl)[$EXTRAS]" && \
    /opt/fireside/bin/python -P -c \
      "import engine_core.game as game; assert not game.__file__.endswith('.py'), 'the rules are not compiled'" && \
    find /opt/fireside -name '*.so*' -not -path '*.libs/*' -exec strip --strip-unneeded {} + && \
    find /opt/fireside \( -name __pycache__ -o -name tests \) -type d -prune -exec rm -rf {} +

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
