import { Worker } from 'node:worker_threads'
import { buildStep, type StepInput, type StepOutput } from './tree-step.ts'

/** A step of fewer leaves takes less than a millisecond, and a gateway with few calls needs no thread for it. */
const leavesForThread = 64

type Message = { readonly output: StepOutput } | { readonly fault: string }

export type BuildStep = (input: StepInput) => StepOutput | Promise<StepOutput>

/** Builds steps in a thread of its own, which starts with the first long one. One step at a time. */
export function createStepBuilder(replaced?: BuildStep) {
  let thread: Worker | null = null

  function startThread(): Worker {
    const started = new Worker(new URL('./tree-thread.ts', import.meta.url))
    started.unref()
    started.once('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  function buildInThread(input: StepInput): Promise<StepOutput> {
    thread ??= startThread()
    const worker = thread
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        act()
      }
      const onMessage = (message: Message) =>
        settle(() => ('output' in message ? resolve(message.output) : reject(new Error(message.fault))))
      const onError = (error: Error) => settle(() => reject(error))
      const onExit = () => settle(() => reject(new Error('the thread of the tree ended')))
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(input)
    })
  }

  return {
    build(input: StepInput): StepOutput | Promise<StepOutput> {
      if (replaced) return replaced(input)
      const leaves = input.ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      return thread || leaves >= leavesForThread ? buildInThread(input) : buildStep(input)
    },
    async close(): Promise<void> {
      await thread?.terminate()
    },
  }
}
