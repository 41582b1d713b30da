"""Layer 3 of the security policy: tenant functions in worker processes that the kernel locks in.

`workers` starts them from a small fork server (`server`), `worker` runs inside of one, `lock` is
what the kernel holds them to, `frames` and `messages` are what goes over the pipe.
"""
