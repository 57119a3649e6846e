module plant-store-go

go 1.26

require (
	github.com/mattn/go-sqlite3 v1.14.53
	plant-store-peers v0.0.0
)

require github.com/google/uuid v1.6.0 // indirect

replace plant-store-peers => ../
