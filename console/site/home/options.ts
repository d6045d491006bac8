import type { Operation } from '../../../src/contract/operation.ts'
import type { FrameOptions } from '../frame/frame.ts'
import type { HomeWords } from './words.ts'

export interface HomeOptions extends FrameOptions {
  readonly operations: readonly Operation[]
  readonly words: HomeWords
}
