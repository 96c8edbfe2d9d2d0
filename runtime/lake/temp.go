package lake

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Temporary files are named stage-<host>-<process>-<random>, so that those of processes
// that have died can be told from those at work.
const tempPrefix = "stage-"

// staleAfter is the age from which a temporary file whose process cannot be asked counts
// as left over.
const staleAfter = 24 * time.Hour

var processStart = time.Now()

// createTemp makes a temporary file in dir, with the permissions of any new file.
func createTemp(dir string) (*stagedFile, error) {
	for {
		name := fmt.Sprintf("%s%s-%d-%016x", tempPrefix, hostName(), os.Getpid(), rand.Uint64())
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &stagedFile{file: f, name: f.Name()}, nil
	}
}

// hostName is the machine's name as it may stand in a file name, without a dash.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' {
			return r
		}
		return '_'
	}, name)
}

// sweepTemp removes the temporary files of processes that have died. It is best effort:
// what cannot be removed costs disk space only.
func sweepTemp(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && leftOver(e.Name(), info.ModTime()) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// leftOver says whether nobody will finish the temporary file. Processes of another
// machine, on a shared file system, cannot be asked, so there age decides.
func leftOver(name string, modified time.Time) bool {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	if !ok {
		return false
	}
	host, rest, _ := strings.Cut(rest, "-")
	number, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 {
		return false
	}
	if host != hostName() {
		return time.Since(modified) > staleAfter
	}
	if pid == os.Getpid() { // in a container every process has the same number
		return modified.Before(processStart.Add(-time.Minute))
	}
	return !alive(pid)
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
