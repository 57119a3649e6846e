"""Prints whether openapi-core accepts requests and responses according to the document in small.json."""

from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

api = OpenAPI.from_file_path("small.json")


def patch(media_type, body):
    request = MockRequest(
        "http://localhost", "patch", "/plants/9007199254740993", content_type=media_type, data=body
    )
    result = api.unmarshal_request(request)
    return "refused" if result.errors else f"accepted for {result.parameters.path['id']}"


def answer(method, path, media_type, body, status=200):
    response = MockResponse(body, status_code=status, content_type=media_type)
    result = api.unmarshal_response(MockRequest("http://localhost", method, path), response)
    return "refused" if result.errors else "accepted"


def plant(more):
    body = b'{"id":1,"createdAt":"2026-05-01T09:30:00Z"%s}' % more
    return answer("patch", "/plants/1", "application/json", body)


def event(body):
    return answer("get", "/events", "application/json", body)


def error(number):
    return answer("patch", "/plants/1", "application/json", b'{"error":%d}' % number, 400)


print("a tag that is null:", patch("application/json", b'{"tag":null}'))
print("a tag that is 5:", patch("application/json", b'{"tag":5}'))
print("a merge patch:", patch("application/merge-patch+json", b'{"tag":null}'))
print("a plant:", plant(b""))
print("a plant with a secret:", plant(b',"secret":""'))
print("a deletion:", event(b'[{"eventId":"e","type":"plant.deleted"}]'))
print("a creation without a name:", event(b'[{"eventId":"e","type":"plant.created"}]'))
print("a stream:", answer("get", "/events", "text/event-stream", b":\n\n"))
print("40001:", error(40001))
print("40002:", error(40002))
