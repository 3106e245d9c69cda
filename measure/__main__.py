"""The command `measure`, as `measure` and as `python -m measure`.

The garbage collector is off in this process: a command makes many rows and no cycles, so that looking for some,
again and again while rows are read, would find nothing.
"""

import gc

gc.disable()

from measure.cli import main  # noqa: E402 - imports too make objects by the thousand

if __name__ == "__main__":
    main()
