const lookEveryMs = 500;

/**
 * Where npm has started this process it ends with npm, however that ends: a kill -9 of npm reaches nobody else, and a run that nobody can see or stop
 * any more would go on for ever. To this process it is a SIGTERM, which stops everything in order. A runner started by hand outlives its shell
 * when people want it to (nohup, setsid).
 */
export function endWithNpm({ environment = process.env } = {}) {
  if (environment.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  timer.unref();
}
