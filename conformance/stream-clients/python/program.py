"""What the programs in this folder share.

They follow the live log with one client each, and print the id and the data of each
event that the client reports, as a JSON array on one line. Neither client reconnects:
the caller sends the last id, as their documentation shows.
"""

import json
import os
import time
from collections.abc import Callable, Iterator

import httpx

TOKEN = os.environ["EVENTS_TOKEN"]
URL = os.environ["EVENTS_URL"]

# Longer than the time between two comments of the service.
TIMEOUT = httpx.Timeout(5, read=30)


def follow(
    read: Callable[[httpx.Client, dict[str, str]], Iterator[tuple[str, str]]],
) -> None:
    """Read and print events, and begin again after the last one when the connection is lost."""
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {TOKEN}"}
    # Empty at first, so that the service gets the header without a value.
    last_id = ""
    with httpx.Client(timeout=TIMEOUT) as client:
        while True:
            try:
                for event_id, data in read(
                    client, {**headers, "Last-Event-ID": last_id}
                ):
                    print(json.dumps([event_id, data]), flush=True)
                    last_id = event_id
            except httpx.TransportError:
                time.sleep(0.2)
