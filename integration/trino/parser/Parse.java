import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses every statement of the SQL files that standard input names, one a line. Prints
 * what Trino's grammar refuses as file:line:column: message, and then how many statements
 * there were.
 */
class Parse {
    record Statement(String text, int line, boolean whole) {}

    public static void main(String[] args) throws IOException {
        var names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var parser = new SqlParser();
        int statements = 0;
        for (String file; (file = names.readLine()) != null; ) {
            for (Statement s : split(Files.readString(Path.of(file)))) {
                statements++;
                if (!s.whole()) {
                    System.out.printf("%s:%d:1: the statement does not end with ;%n", file, s.line());
                    continue;
                }
                try {
                    parser.createStatement(s.text());
                } catch (ParsingException e) {
                    System.out.printf("%s:%d:%d: %s%n", file, s.line() + e.getLineNumber() - 1, e.getColumnNumber(), e.getErrorMessage());
                }
            }
        }
        System.out.printf("%d statements%n", statements);
    }

    /** Cuts at each semicolon that stands in no text, no quoted name and no comment. */
    static List<Statement> split(String sql) {
        var found = new ArrayList<Statement>();
        int from = 0;
        int line = 1;
        boolean blank = true;
        for (int i = 0; i < sql.length(); ) {
            char c = sql.charAt(i);
            int end = i + 1;
            if (c == '\'' || c == '"') {
                int close = sql.indexOf(c, i + 1);
                end = close < 0 ? sql.length() : close + 1;
            } else if (sql.startsWith("--", i)) {
                int newline = sql.indexOf('\n', i);
                end = newline < 0 ? sql.length() : newline;
            } else if (c == ';') {
                found.add(new Statement(sql.substring(from, i), line, true));
                line += lines(sql.substring(from, end));
                from = end;
                blank = true;
                i = end;
                continue;
            }
            blank &= Character.isWhitespace(c) || sql.startsWith("--", i);
            i = end;
        }
        if (!blank) {
            found.add(new Statement(sql.substring(from), line, false));
        }
        return found;
    }

    static int lines(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }
}
