/** The libraries also run under Node, whose types are kept out of the browser's code; this is the one word of them that they use. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
