"""The games as environments of PettingZoo, Gymnasium and OpenSpiel, each a module, and as a vector environment.

Each needs the extra of its name: `pip install fireside[pettingzoo]`; `vector` needs NumPy, which all of these install.
`data` loads recorded matches, and `match_table` has the columns of their table: both need `fireside[data]`.
Actions, observations and returns are those of `engine_core.encodings`.
"""
