"""The games as environments of PettingZoo, Gymnasium and OpenSpiel, each a module, by configuration.

Each needs the extra of its name: `pip install fireside[pettingzoo]`. Actions, observations and returns are those of
`engine_core.encodings`.
"""
