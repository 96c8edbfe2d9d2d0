//go:build unix

package postgres_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// server is a PostgreSQL of the tests; start makes one.
type server struct {
	dir, bin string
	port     int
	cmd      *exec.Cmd
}

var (
	once    sync.Once
	running *server
	failure error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if running != nil && running.cmd != nil {
		_ = running.cmd.Process.Signal(syscall.SIGQUIT)
		_ = running.cmd.Wait()
		_ = os.RemoveAll(running.dir)
	}
	os.Exit(code)
}

// start gives the address of a real server, or skips the test where none is installed.
func start(t *testing.T) string {
	t.Helper()
	bin := binaries()
	if bin == "" {
		t.Skip("no PostgreSQL is installed here (initdb and postgres in PATH, or below /usr/lib/postgresql)")
	}
	once.Do(func() { running, failure = launch(bin) })
	if failure != nil {
		t.Fatal(failure)
	}
	return fmt.Sprintf("postgres://bridge:secret@127.0.0.1:%d/postgres", running.port)
}

func binaries() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is right
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	for _, path := range found {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "postgres")); err == nil {
			return filepath.Dir(path)
		}
	}
	return ""
}

func launch(bin string) (*server, error) {
	dir, err := os.MkdirTemp("", "bridge-pg")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, bin: bin}
	identity, err := unprivileged(dir)
	if err != nil {
		return nil, err
	}
	data, password := filepath.Join(dir, "data"), filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("secret\n"), 0o644); err != nil {
		return nil, err
	}
	if out, err := s.run(identity, "initdb", "-D", data, "-U", "bridge", "-A", "scram-sha-256", "--pwfile", password, "--no-sync", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s.cmd = s.run(identity, "postgres", "-D", data, "-k", "", "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-c", "fsync=off")
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	return s, s.await()
}

// unprivileged is who runs the server, which refuses to be root's.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(who.Uid) // numbers on every unix
	gid, _ := strconv.Atoi(who.Gid)
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(dir, uid, gid)
}

func (s *server) run(who *syscall.SysProcAttr, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.SysProcAttr, cmd.Dir = who, s.dir
	return cmd
}

func (s *server) await() (err error) {
	for range 300 {
		var conn *pgconn.PgConn
		if conn, err = pgconn.Connect(context.Background(), fmt.Sprintf("postgres://bridge:secret@127.0.0.1:%d/postgres", s.port)); err == nil {
			return conn.Close(context.Background())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the server does not answer: %w", err)
}
