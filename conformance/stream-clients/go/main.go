// Command stream-clients follows the live log with the client that its argument names. It prints the id and the data of each event
// that the client reports, as a JSON array on one line.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	r3labs "github.com/r3labs/sse/v2"
	tmaxmax "github.com/tmaxmax/go-sse"
)

var (
	url           = os.Getenv("EVENTS_URL")
	authorization = "Bearer " + os.Getenv("EVENTS_TOKEN")
)

func main() {
	follow := map[string]func() error{"r3labs": followWithR3labs, "go-sse": followWithGoSse}[os.Args[1]]
	log.Fatal(follow())
}

func followWithR3labs() error {
	client := r3labs.NewClient(url)
	client.Headers["Authorization"] = authorization
	return client.SubscribeRaw(func(event *r3labs.Event) { print(string(event.ID), string(event.Data)) })
}

func followWithGoSse() error {
	request, err := http.NewRequest(http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", authorization)
	connection := tmaxmax.NewConnection(request)
	connection.SubscribeToAll(func(event tmaxmax.Event) { print(event.LastEventID, event.Data) })
	return connection.Connect()
}

func print(id, data string) {
	line, err := json.Marshal([]string{id, data})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
