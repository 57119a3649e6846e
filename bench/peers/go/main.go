// The benchmark's peer in Go: net/http, database/sql and mattn/go-sqlite3.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"plant-store-peers/common"
)

func main() {
	lines, err := common.OpenLog(os.Getenv("LOG"))
	if err != nil {
		log.Fatal(err)
	}
	store, err := openStore(os.Getenv("DATABASE"), os.Getenv("TOKEN_DIGEST"))
	if err != nil {
		log.Fatal(err)
	}
	server := &server{store: store, log: lines}
	mux := http.NewServeMux()
	mux.Handle("POST /plants", server.handle("/plants", "plants:write", server.createPlant))
	mux.Handle("GET /plants", server.handle("/plants", "plants:read", server.listPlants))
	mux.Handle("GET /plants/{id}", server.handle("/plants/:id", "plants:read", server.getPlant))
	mux.Handle("/", server.handle("", "", func(http.ResponseWriter, *http.Request) error { return common.ErrNotFound }))

	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	log.Fatal(http.Serve(listener, mux))
}
