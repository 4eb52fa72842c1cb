// What a person reaches in each of some positions by clicks on the picture, by arrow keys in it and in the list of moves.
async (positions) => {
  const [{ Board }, { Moves }] = await Promise.all([import("/page/match/board.js"), import("/page/match/moves.js")]);

  function reached({ picture, moves: offered }) {
    let played;
    const board = new Board((part) => moves.click(part));
    const moves = new Moves(board, ({ notation }) => (played = notation));
    document.body.replaceChildren(board.element, moves.element);
    board.show(picture);
    moves.show(offered);

    const part = (id) => document.getElementById(id);
    const sentences = () => [...moves.element.querySelectorAll("ol button")].map((each) => each.innerText);
    const framed = () => [...board.element.querySelectorAll("[role=button]")].map(({ id }) => id);
    const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const focused = () => document.activeElement;

    function byArrows() {
      const found = [];
      board.focus();
      press(focused(), "ArrowLeft"); // stays at the first part
      while (!found.includes(focused().id)) {
        found.push(focused().id);
        press(focused(), "ArrowRight");
      }
      return found;
    }

    function byList() {
      moves.key(new KeyboardEvent("keydown", { key: "1" }));
      return offered.map(() => {
        const { innerText } = focused();
        press(focused(), "ArrowDown");
        return innerText;
      });
    }

    function byClicks({ parts }) {
      moves.clear();
      played = undefined;
      for (const id of parts) {
        if (!framed().includes(id)) return [];
        part(id).dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }
      return played ? [played] : sentences();
    }

    const first = offered.flatMap(({ parts }) => parts.slice(0, 1));
    const isNested = (one, other) => part(one).contains(part(other)) || part(other).contains(part(one));
    const waiting = offered.flatMap(({ parts }) => parts).filter((id) => !framed().includes(id));
    return {
      sentences: sentences(),
      framed: framed(),
      lost: waiting.filter((id) => !first.some((each) => isNested(id, each))),
      byArrows: byArrows(),
      byList: byList(),
      byClicks: offered.map(byClicks),
    };
  }

  return positions.map(reached);
}
