/** Counts finished jobs of a worker and tells when an awaited number of them is reached. */
export class JobCounter {
  private done = 0;
  private target = Number.POSITIVE_INFINITY;
  private reached: () => void = () => undefined;

  count(): void {
    this.done += 1;
    if (this.done >= this.target) this.reached();
  }

  /** Resolves when so many more jobs are done. Ask before the jobs are added. */
  next(count: number): Promise<void> {
    this.done = 0;
    this.target = count;
    return new Promise((resolve) => {
      this.reached = resolve;
    });
  }
}
