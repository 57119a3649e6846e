// A peer: webhooks as jobs of River, on SQLite or PostgreSQL. `insert FIRST COUNT` inserts a job for each message to each of URLS, and
// ends. Without it, the process works on the jobs: it signs and posts each message, and River records the outcome.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	_ "github.com/mattn/go-sqlite3"
)

const workers = 64

// An insert of a page of jobs is one transaction.
const pageMax = 1000

type message struct {
	URL      string `json:"url"`
	Sequence int64  `json:"sequence"`
	Body     string `json:"body"`
}

func (message) Kind() string { return "webhook" }

type sender struct {
	river.WorkerDefaults[message]
	client *http.Client
	key    []byte
}

// Work fails unless the receiver responds with 2xx. River then tries again later.
func (s *sender) Work(ctx context.Context, job *river.Job[message]) error {
	id := fmt.Sprintf("evt_%d_abcdefghijklmnop", job.Args.Sequence)
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(id + "." + timestamp + "." + job.Args.Body))
	request, err := http.NewRequestWithContext(ctx, "POST", job.Args.URL, strings.NewReader(job.Args.Body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", timestamp)
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

func main() {
	ctx := context.Background()
	urls := strings.Fields(os.Getenv("URLS"))
	database := os.Getenv("DATABASE")
	if strings.HasPrefix(database, "postgres:") {
		pool, err := pgxpool.New(ctx, database)
		expect(err)
		run[pgx.Tx](ctx, riverpgxv5.New(pool), urls)
		return
	}
	db, err := sql.Open("sqlite3", "file:"+database+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate")
	expect(err)
	// SQLite has one writer at a time.
	db.SetMaxOpenConns(1)
	run[*sql.Tx](ctx, riversqlite.New(db), urls)
}

func run[Tx any](ctx context.Context, driver riverdriver.Driver[Tx], urls []string) {
	if len(os.Args) == 4 {
		insert(ctx, driver, urls, parse(os.Args[2]), parse(os.Args[3]))
		return
	}
	migrator, err := rivermigrate.New(driver, nil)
	expect(err)
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	expect(err)
	transport := &http.Transport{MaxIdleConnsPerHost: workers}
	jobs := river.NewWorkers()
	river.AddWorker(jobs, &sender{client: &http.Client{Transport: transport}, key: make([]byte, 24)})
	client, err := river.NewClient(driver, &river.Config{
		Workers:           jobs,
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		JobTimeout:        15 * time.Second,
		FetchPollInterval: 100 * time.Millisecond,
		FetchCooldown:     time.Millisecond,
	})
	expect(err)
	expect(client.Start(ctx))
	fmt.Println("listening for jobs")
	select {}
}

func insert[Tx any](ctx context.Context, driver riverdriver.Driver[Tx], urls []string, first int64, count int64) {
	client, err := river.NewClient(driver, &river.Config{})
	expect(err)
	var page []river.InsertManyParams
	flush := func() {
		_, err := client.InsertManyFast(ctx, page)
		expect(err)
		page = nil
	}
	for sequence := first; sequence < first+count; sequence++ {
		body := fmt.Sprintf(`{"type":"plant.created","timestamp":"%s","id":%d,"name":"Monstera","tag":"tropical"}`,
			time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), sequence)
		for _, url := range urls {
			page = append(page, river.InsertManyParams{Args: message{URL: url, Sequence: sequence, Body: body}})
			if len(page) == pageMax {
				flush()
			}
		}
	}
	if len(page) > 0 {
		flush()
	}
}

func parse(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	expect(err)
	return value
}

func expect(err error) {
	if err != nil {
		panic(err)
	}
}
