import type { OperatorApiCode } from '../contract/error-codes/operators.ts'

/** Takes a body in parts. It never waits: a client that reads too slowly loses its connection, and what follows is dropped. */
export interface LiveOutput {
  /** `bytes` is the length of the text, which the maker often knows. */
  write(text: string, bytes: number): void
}

/**
 * A body that is made while it is sent, at the speed of its maker. `run` goes on to its end even if the client leaves; it returns
 * the error code that the body ended with, for log and metrics.
 */
export class LiveBody {
  readonly run: (output: LiveOutput) => Promise<OperatorApiCode | null>

  constructor(run: LiveBody['run']) {
    this.run = run
  }
}
