// Serves the game with boardgame.io on a free port, and prints the port.
const { Origins, Server } = require("boardgame.io/server");
const { HiddenHands } = require("./game.cjs");

Server({ games: [HiddenHands], origins: [Origins.LOCALHOST] })
  .run({ port: 0 })
  .then(({ appServer }) => console.log(appServer.address().port));
