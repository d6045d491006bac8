import type { Operation } from '../../contract/operation.ts'
import type { ServiceFacts } from '../service-facts.ts'
import type { Words } from './words/words.ts'

export interface ReferenceOptions {
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
  readonly words: Words
  readonly other: Words
  /** Before every path: empty, or /gateway in the local preview. */
  readonly prefix: string
  readonly assets: { readonly style: string; readonly script: string; readonly mark: string }
}
