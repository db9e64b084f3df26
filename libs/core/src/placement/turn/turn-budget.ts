/**
 * Whether a turn may go on deciding: up to its number of decisions and, once it has made one, until its time is over. A turn that time ended replays by its number of
 * decisions alone, on however slow a machine.
 */
export class TurnBudget {
  endedEarly = false;

  constructor(
    private maxDecisions: number,
    private readonly isTimeOver: () => boolean,
  ) {}

  /** Ask before each further decision. */
  isSpent(made: number): boolean {
    if (made > 0 && made < this.maxDecisions && this.isTimeOver()) {
      this.maxDecisions = made;
      this.endedEarly = true;
    }
    return made >= this.maxDecisions;
  }
}
