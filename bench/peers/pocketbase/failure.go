package main

// A failure is a way in which a request fails. Its code begins with its status.
type failure struct {
	Code    int    `json:"error"`
	Message string `json:"message"`
}

var (
	errNotAuthenticated = failure{40100, "This needs a valid bearer token."}
	errForbidden        = failure{40300, "The token lacks the scope that this needs."}
	errInvalidBody      = failure{40001, "The body must be a plant: an id, a name and perhaps a tag."}
	errInvalidLimit     = failure{40002, "limit must be an integer from 1 to 1000."}
	errInvalidID        = failure{40003, "The id in the path must be an integer."}
	errInvalidCursor    = failure{40004, "after must be a cursor of this list."}
	errNotFound         = failure{40400, "There is no such plant or path."}
	errConflict         = failure{40900, "The id is taken by a different plant."}
	errTooLarge         = failure{41300, "The body is larger than 64 KiB."}
	errUnsupportedType  = failure{41500, "The body must be application/json."}
	errUnavailable      = failure{50300, "The database is not available."}
)

func (f failure) Error() string { return f.Message }

func (f failure) status() int { return f.Code / 100 }
