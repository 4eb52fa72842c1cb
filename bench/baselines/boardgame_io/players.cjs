// Plays rounds of concurrent matches with the client library of boardgame.io.
// Usage: node players.cjs PORT MATCHES. For each line of the input it does the next of two steps: to create matches and
// connect both seats of each, after which it prints 0; and to play them to their ends, after which it prints the number
// of moves. A seat moves once it has received the other's move.
const { createInterface } = require("node:readline");
const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { HiddenHands } = require("./game.cjs");

const [port, matches] = process.argv.slice(2).map(Number);
const server = `http://localhost:${port}`;
const lobby = new LobbyClient({ server });

class Seat {
  constructor(matchID, playerID, credentials) {
    this.moves = 0;
    this.playerID = playerID;
    this.client = Client({
      game: HiddenHands,
      matchID,
      playerID,
      credentials,
      multiplayer: SocketIO({ server, socketOpts: { transports: ["websocket"] } }),
      debug: false,
    });
  }

  async connect() {
    this.client.start();
    await this.until((state) => state !== null && this.client.matchData?.every((seat) => seat.isConnected));
  }

  async play() {
    let answered = -1;
    await this.until((state) => {
      if (state.ctx.gameover) return true;
      if (state.ctx.currentPlayer === this.playerID && state._stateID > answered) {
        answered = state._stateID;
        this.moves += 1;
        this.client.moves.play(Math.floor(Math.random() * state.G.players[this.playerID].hand.length));
      }
      return false;
    });
  }

  // Resolves once a state that the server sent satisfies the condition.
  until(condition) {
    return new Promise((resolve) => {
      const unsubscribe = this.client.subscribe((state) => {
        if (condition(state)) setImmediate(() => resolve(unsubscribe()));
      });
    });
  }
}

async function newMatch() {
  const { matchID } = await lobby.createMatch(HiddenHands.name, { numPlayers: 2 });
  return Promise.all(
    ["0", "1"].map(async (playerID) => {
      const { playerCredentials } = await lobby.joinMatch(HiddenHands.name, matchID, { playerID, playerName: playerID });
      return new Seat(matchID, playerID, playerCredentials);
    }),
  );
}

async function main() {
  let seats = null;
  for await (const _ of createInterface({ input: process.stdin })) {
    if (seats === null) {
      seats = (await Promise.all(Array.from({ length: matches }, newMatch))).flat();
      await Promise.all(seats.map((seat) => seat.connect()));
      console.log(0);
    } else {
      await Promise.all(seats.map((seat) => seat.play()));
      console.log(seats.reduce((total, seat) => total + seat.moves, 0));
      seats.forEach((seat) => seat.client.stop());
      seats = null;
    }
  }
}

main();
