from collections.abc import Iterator

import httpx
from sseclient import SSEClient

from program import URL, follow


def read(client: httpx.Client, headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    with client.stream("GET", URL, headers=headers) as response:
        for event in SSEClient(response.iter_bytes()).events():
            yield event.id, event.data


follow(read)
