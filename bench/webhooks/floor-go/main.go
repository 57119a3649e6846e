// The floor in Go: on SIGUSR2 it sends COUNT new messages to each URL, signed, 16 at a time to each URL. It stores nothing.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const concurrency = 16

func main() {
	count, _ := strconv.ParseInt(os.Getenv("COUNT"), 10, 64)
	urls := strings.Fields(os.Getenv("URLS"))
	key := make([]byte, 24)
	rand.Read(key)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency * len(urls)}, Timeout: 15 * time.Second}
	started := make(chan os.Signal, 1)
	signal.Notify(started, syscall.SIGUSR2)
	fmt.Println("listening for SIGUSR2")
	for sent := int64(0); ; sent += count {
		<-started
		for _, url := range urls {
			var next atomic.Int64
			next.Store(sent)
			for range concurrency {
				go func() {
					for sequence := next.Add(1); sequence <= sent+count; sequence = next.Add(1) {
						post(client, key, url, sequence)
					}
				}()
			}
		}
	}
}

func post(client *http.Client, key []byte, url string, sequence int64) {
	now := time.Now()
	id := fmt.Sprintf("evt_%d_abcdefghijklmnop", sequence)
	timestamp := strconv.FormatInt(now.Unix(), 10)
	body := fmt.Sprintf(`{"type":"plant.created","timestamp":"%s","id":%d,"name":"Monstera","tag":"tropical"}`,
		now.UTC().Format("2006-01-02T15:04:05.000Z"), sequence)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "." + body))
	request, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", timestamp)
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
}
