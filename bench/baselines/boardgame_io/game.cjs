// A game with hidden hands for boardgame.io: two seats take tricks, each with ten cards that the other does not see.
const { PlayerView } = require("boardgame.io/core");

const SUITS = 5;
const VALUES = 15;
const COPIES = 2; // 150 cards: a match has as many moves as one of Fire Bulls has on average
const HAND = 10;

const cards = Array.from({ length: SUITS * VALUES * COPIES }, (_, id) => ({
  id,
  suit: id % SUITS,
  value: 1 + (Math.floor(id / SUITS) % VALUES),
}));

// The player of the higher card of the suit that was led takes both cards of a trick.
function takeTrick(G) {
  const [led, other] = G.trick;
  const winner = other.card.suit === led.card.suit && other.card.value > led.card.value ? other : led;
  G.taken[winner.player] += led.card.value + other.card.value;
  G.lastTrick = G.trick;
  G.trick = [];
}

module.exports.HiddenHands = {
  name: "hidden-hands",
  setup: ({ random }) => {
    const deck = random.Shuffle(cards);
    return {
      secret: { deck },
      players: { 0: { hand: deck.splice(0, HAND) }, 1: { hand: deck.splice(0, HAND) } },
      deckSize: deck.length,
      trick: [],
      lastTrick: [],
      taken: [0, 0],
    };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false, // drawing needs the deck, which only the server has
      move: ({ G, playerID }, index) => {
        const hand = G.players[playerID].hand;
        const [card] = hand.splice(index, 1);
        G.trick.push({ player: Number(playerID), card });
        if (G.trick.length === 2) takeTrick(G);
        if (G.secret.deck.length > 0) hand.push(G.secret.deck.pop());
        G.deckSize = G.secret.deck.length;
      },
    },
  },
  endIf: ({ G }) => {
    const isOver = G.players[0].hand.length === 0 && G.players[1].hand.length === 0;
    return isOver ? { taken: G.taken } : undefined;
  },
};
