from collections.abc import Iterator

import httpx
from httpx_sse import connect_sse

from program import URL, follow


def read(client: httpx.Client, headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    with connect_sse(client, "GET", URL, headers=headers) as source:
        for event in source.iter_sse():
            yield event.id, event.data


follow(read)
