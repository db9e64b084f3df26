/**
 * The wrapper that outlives the agent. Arguments: attempt directory, two files of cgroups to enter (or empty), then the command.
 *
 * - It uses builtins only: one fork and one exec per attempt, and nothing the task's PATH could change.
 * - `trap :` instead of `trap ''`: the wrapper survives a TERM sent to the whole tree and can still note the status, while the command gets
 *   the default actions back.
 * - The command runs in the foreground: a shell without job control would start a background one with SIGINT ignored.
 * - `pid` holds pid and start time (field 22 of its stat), written before the command starts.
 * - `exit` is one short line in one write; a reader takes it only with its line end, so a half-written one is none. That is as atomic as a
 *   rename and spares every attempt a process.
 * - stdout and stderr are opened for appending, so that the agent may cut a file whose rest is not wanted.
 */
export const WRAPPER_SCRIPT = `trap : HUP INT TERM
__medley_dir=$1
[ -z "$2" ] || { echo $$ >"$2"; } 2>/dev/null
[ -z "$3" ] || { echo $$ >"$3"; } 2>/dev/null
shift 3
__medley_mark() { __medley_start=\${20}; }
if { read -r __medley_stat </proc/$$/stat; } 2>/dev/null; then
  __medley_mark \${__medley_stat##*) }
else
  __medley_start=$(LC_ALL=C ps -o lstart= -p $$)
fi
printf '%s %s\\n' $$ "$__medley_start" >"$__medley_dir/pid"
cd "$__medley_dir/work" || exit 126
"$@" >>"$__medley_dir/stdout" 2>>"$__medley_dir/stderr"
__medley_status=$?
printf '%s\\n' $__medley_status >"$__medley_dir/exit"
exit $__medley_status
`;

/** Status of a complete exit line; null for a missing or half-written one. */
export function parseExitFile(text: string): number | null {
  return /^\d+\n$/.test(text) ? Number(text) : null;
}

/** Pid and start mark of a complete pid line. */
export function parsePidFile(text: string): { pid: number; startMark: string } | null {
  const match = /^(\d+) (.*)\n$/.exec(text);
  return match === null ? null : { pid: Number(match[1]), startMark: match[2]!.trim() };
}
