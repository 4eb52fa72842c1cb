"""Playing blocks: in this process, in Dask workers, against remote bots."""
