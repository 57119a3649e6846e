// The floor in Go: writes each event to each stream at once. `POST /plants` adds an event. It stores nothing.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

type plant struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Tag  string `json:"tag"`
}

func main() {
	var mutex sync.Mutex
	streams := map[chan []byte]bool{}
	sequence := 0
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		events := make(chan []byte, 1024)
		mutex.Lock()
		streams[events] = true
		mutex.Unlock()
		defer func() {
			mutex.Lock()
			delete(streams, events)
			mutex.Unlock()
		}()
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write([]byte(":\n\n"))
		w.(http.Flusher).Flush()
		for {
			select {
			case event := <-events:
				w.Write(event)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /plants", func(w http.ResponseWriter, r *http.Request) {
		var created plant
		if json.NewDecoder(r.Body).Decode(&created) != nil {
			w.WriteHeader(400)
			return
		}
		mutex.Lock()
		sequence++
		id := fmt.Sprintf("evt_%d_abcdefghijklmnop", sequence)
		data, _ := json.Marshal(map[string]any{"eventId": id, "sequence": sequence, "type": "plant.created",
			"timestamp": time.Now().UTC(), "plant": created})
		event := []byte(fmt.Sprintf("id: %s\nevent: plant.created\ndata: %s\n\n", id, data))
		for events := range streams {
			events <- event
		}
		mutex.Unlock()
		json.NewEncoder(w).Encode(map[string]string{"name": created.Name, "tag": created.Tag})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		panic(err)
	}
	fmt.Println("listening")
	panic(http.Serve(listener, mux))
}
