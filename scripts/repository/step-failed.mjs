/** A failed step of a script: the reason is told in one line, without a stack. */
export class StepFailed extends Error {}
