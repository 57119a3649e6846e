package common

// A Failure is a way in which a request fails. Its code begins with its status.
type Failure struct {
	Code    int    `json:"error"`
	Message string `json:"message"`
}

var (
	ErrNotAuthenticated = Failure{40100, "This needs a valid bearer token."}
	ErrForbidden        = Failure{40300, "The token lacks the scope that this needs."}
	ErrInvalidBody      = Failure{40001, "The body must be a plant: an id, a name and perhaps a tag."}
	ErrInvalidLimit     = Failure{40002, "limit must be an integer from 1 to 1000."}
	ErrInvalidID        = Failure{40003, "The id in the path must be an integer."}
	ErrInvalidCursor    = Failure{40004, "after must be a cursor of this list."}
	ErrNotFound         = Failure{40400, "There is no such plant or path."}
	ErrConflict         = Failure{40900, "The id is taken by a different plant."}
	ErrTooLarge         = Failure{41300, "The body is larger than 64 KiB."}
	ErrUnsupportedType  = Failure{41500, "The body must be application/json."}
	ErrUnavailable      = Failure{50300, "The database is not available."}
)

func (f Failure) Error() string { return f.Message }

func (f Failure) Status() int { return f.Code / 100 }
