// Creates and reads a plant whose id is beyond 2⁵³, uploads and downloads its picture, and verifies the webhook about it.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const timeout = 10 * time.Second

// The id needs an int64. Decoded into an any, it would be a float64 and rounded.
type plant struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type message struct {
	headers http.Header
	body    []byte
}

func main() {
	messages := make(chan message, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages <- message{r.Header, body}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	fern := plant{ID: 9007199254740993, Name: "Fern"} // 2⁵³ + 1
	path := fmt.Sprintf("/plants/%d", fern.ID)
	// An interrupted run may have left the plant. Creating it again would cause no event.
	send("DELETE", path, nil)
	var webhook struct{ ID, Secret string }
	target := map[string]any{"url": receiver.URL, "events": []string{"plant.created"}}
	check(json.Unmarshal(send("POST", "/webhooks", target), &webhook))
	defer send("DELETE", "/webhooks/"+webhook.ID, nil)

	send("POST", "/plants", fern)
	defer send("DELETE", path, nil)
	expect(fern, send("GET", path, nil))
	fmt.Printf("Plant %d was created and read.\n", fern.ID)

	picture, err := os.ReadFile("../leaf.png")
	check(err)
	exchange("PUT", path+"/picture", "image/png", picture)
	if !bytes.Equal(send("GET", path+"/picture", nil), picture) {
		panic("the picture was changed on its way")
	}
	fmt.Println("Its picture was uploaded and downloaded.")

	select {
	case received := <-messages:
		verify(received, webhook.Secret, fern)
	case <-time.After(timeout):
		panic(fmt.Errorf("no webhook arrived within %v", timeout))
	}
}

func verify(received message, secret string, fern plant) {
	headers, body := received.headers, received.body
	webhook, err := standardwebhooks.NewWebhook(secret)
	check(err)
	check(webhook.Verify(body, headers))
	expect(fern, body)
	fmt.Printf("Webhook message %s was verified.\n", headers.Get("webhook-id"))
	copied := bytes.Replace(body, []byte("Fern"), []byte("Weed"), 1)
	if err := webhook.Verify(copied, headers); !errors.Is(err, standardwebhooks.ErrNoMatchingSignature) {
		panic(fmt.Errorf("a copy with another name was not refused: %w", err))
	}
	fmt.Println("A copy with another name was refused.")
}

// expect panics unless the JSON has the id and the name of the plant.
func expect(expected plant, text []byte) {
	var actual plant
	check(json.Unmarshal(text, &actual))
	if actual != expected {
		panic(fmt.Errorf("expected %v, got %v", expected, actual))
	}
}

// send sends the content as JSON, and returns the body of the response.
func send(method, path string, content any) []byte {
	var body []byte
	if content != nil {
		text, err := json.Marshal(content)
		check(err)
		body = text
	}
	return exchange(method, path, "application/json", body)
}

// exchange returns the body of the response. It panics at a status of 300 or above, except at 404 for a DELETE.
func exchange(method, path, mediaType string, body []byte) []byte {
	url := cmp.Or(os.Getenv("PLANT_STORE_URL"), "http://127.0.0.1:3000")
	request, err := http.NewRequest(method, url+path, bytes.NewReader(body))
	check(err)
	token := cmp.Or(os.Getenv("PLANT_STORE_TOKEN"), "plant_ThisTokenIsPublicUseItForTests0JVZRz")
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", mediaType)
	client := http.Client{Timeout: timeout}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode >= 300 && !(method == "DELETE" && response.StatusCode == http.StatusNotFound) {
		panic(fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text))
	}
	return text
}

// check panics, so that the deferred deletions run and the exit status is not 0.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
