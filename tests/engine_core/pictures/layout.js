// Faults of the layout of pictures, one list a picture, and how many texts and parts were looked at: called with
// [[svg, parts], ...] in a page that shows each picture alone, 800 pixels wide.
pictures => {
  // Of a text's box, ascent and descent included, the share that glyphs rarely reach.
  const ABOVE = 0.16, BELOW = 0.12;

  const onScreen = (matrix, x, y) => ({ x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f });

  const corners = text => {
    const { x, y, width, height } = text.getBBox();
    const top = y + height * ABOVE, bottom = y + height * (1 - BELOW), matrix = text.getScreenCTM();
    return [[x, top], [x + width, top], [x + width, bottom], [x, bottom]].map(point => onScreen(matrix, ...point));
  };

  // Separating axis theorem: two convex quadrilaterals are apart if a line along a side of one has them on its sides.
  const overlap = (one, other) => [one, other].every(quad => quad.every((corner, i) => {
    const next = quad[(i + 1) % 4], normal = { x: next.y - corner.y, y: corner.x - next.x };
    const along = points => points.map(point => point.x * normal.x + point.y * normal.y);
    const [a, b] = [along(one), along(other)], slack = 0.5 * Math.hypot(normal.x, normal.y);
    return Math.max(...a) > Math.min(...b) + slack && Math.max(...b) > Math.min(...a) + slack;
  }));

  const hits = part => [part, ...part.querySelectorAll("*")].some(element => {
    if (!(element instanceof SVGGraphicsElement)) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return width > 0 && found && part.contains(found);
  });

  return pictures.map(([svg, parts]) => {
    document.body.innerHTML = svg;
    const root = document.body.firstElementChild, frame = root.getBoundingClientRect(), faults = [];
    const texts = [...root.querySelectorAll("text")].filter(text => text.textContent.trim());
    const quads = texts.map(corners);
    quads.forEach((quad, i) => {
      const inside = ({ x, y }) => x > frame.left - 1 && x < frame.right + 1 && y > frame.top - 1 && y < frame.bottom + 1;
      if (!quad.every(inside)) faults.push(`outside: ${texts[i].textContent}`);
      for (let j = 0; j < i; j++)
        if (overlap(quad, quads[j])) faults.push(`overlap: ${texts[i].textContent} | ${texts[j].textContent}`);
    });
    for (const id of parts) {
      const part = root.querySelector(`#${id}`);
      if (!part || !hits(part)) faults.push(`${part ? "not clickable" : "missing"}: ${id}`);
    }
    return { faults, texts: texts.length };
  });
}
