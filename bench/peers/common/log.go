// Package common has what the peers in Go share: the log, the failures, and plants in JSON.
package common

import (
	"bufio"
	"log/slog"
	"os"
	"sync"
	"time"
)

const (
	logBufferBytes   = 64 * 1024
	logFlushInterval = 100 * time.Millisecond
)

// bufferedFile keeps lines in memory until the buffer is full or the interval has passed.
type bufferedFile struct {
	mutex  sync.Mutex
	writer *bufio.Writer
}

// OpenLog appends lines of JSON to a file.
func OpenLog(path string) (*slog.Logger, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	buffered := &bufferedFile{writer: bufio.NewWriterSize(file, logBufferBytes)}
	go buffered.flushRegularly()
	return slog.New(slog.NewJSONHandler(buffered, nil)), nil
}

func (f *bufferedFile) Write(line []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.writer.Write(line)
}

func (f *bufferedFile) flushRegularly() {
	for range time.Tick(logFlushInterval) {
		f.mutex.Lock()
		if err := f.writer.Flush(); err != nil {
			panic(err)
		}
		f.mutex.Unlock()
	}
}
