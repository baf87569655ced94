"""`wordyard faults`: harms a whole cluster under load, and verifies after each fault that nothing came of it.

A `Fault` is a value: what is done, and what is to be expected of it. `catalog` lists them all, `driver` tries one after
the other, and the players and the verification are those of `services.cli.load`.
"""
