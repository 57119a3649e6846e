"""Creates and reads a plant whose id is beyond 2⁵³, uploads and downloads its picture,
and verifies the webhook about it."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from standardwebhooks import Webhook, WebhookVerificationError

DEMO_TOKEN = "plant_ThisTokenIsPublicUseItForTests0JVZRz"
URL = os.environ.get("PLANT_STORE_URL", "http://127.0.0.1:3000")
TOKEN = os.environ.get("PLANT_STORE_TOKEN", DEMO_TOKEN)
TIMEOUT_S = 10

# 2⁵³ + 1. A Python int is exact, and the json module reads and writes it exactly.
ID = 9007199254740993
PATH = f"/plants/{ID}"

messages = []


class Receiver(BaseHTTPRequestHandler):
    timeout = TIMEOUT_S

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        messages.append((dict(self.headers), body.decode()))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format, *args):
        """Keeps stderr for errors."""


def exchange(method, path, body=None, media_type="application/json"):
    """Returns the body of the response.

    A status of 400 or above is an error, except 404 for a DELETE.
    """
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": media_type}
    request = Request(URL + path, body, headers, method=method)
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:
            return response.read()
    except HTTPError as error:
        if method != "DELETE" or error.code != 404:
            raise


def send(method, path, content=None):
    """Returns the decoded body of the response, if it has one."""
    body = None if content is None else json.dumps(content).encode()
    return json.loads(exchange(method, path, body) or "null")


def check(receiver, secret):
    send("POST", "/plants", {"id": ID, "name": "Fern"})
    plant = send("GET", PATH)
    if plant["id"] != ID:
        sys.exit(f"The id was rounded to {plant['id']}.")
    print(f"Plant {ID} was created and read.")

    picture = Path("../leaf.png").read_bytes()
    exchange("PUT", f"{PATH}/picture", picture, "image/png")
    if exchange("GET", f"{PATH}/picture") != picture:
        sys.exit("The picture was changed on its way.")
    print("Its picture was uploaded and downloaded.")

    receiver.handle_request()
    if not messages:
        sys.exit(f"No webhook arrived within {TIMEOUT_S} s.")
    headers, body = messages[0]
    webhook = Webhook(secret)
    if webhook.verify(body, headers)["id"] != ID:
        sys.exit("The webhook is about another plant.")
    print(f"Webhook message {headers['webhook-id']} was verified.")
    try:
        webhook.verify(body.replace("Fern", "Weed"), headers)
    except WebhookVerificationError:
        print("A copy with another name was refused.")
    else:
        sys.exit("A copy with another name was accepted.")


with HTTPServer(("127.0.0.1", 0), Receiver) as receiver:
    receiver.timeout = TIMEOUT_S
    # An interrupted run may have left the plant. Creating it again would cause no event.
    send("DELETE", PATH)
    url = f"http://127.0.0.1:{receiver.server_port}/"
    webhook = send("POST", "/webhooks", {"url": url, "events": ["plant.created"]})
    try:
        check(receiver, webhook["secret"])
    finally:
        send("DELETE", f"/webhooks/{webhook['id']}")
        send("DELETE", PATH)
