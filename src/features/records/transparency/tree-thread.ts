import { parentPort } from 'node:worker_threads'
import { buildStep, type StepInput } from './tree-step.ts'

/** The thread that hashes leaves, so that no call waits for it. */

const port = parentPort!
port.on('message', (input: StepInput) => {
  try {
    port.postMessage({ output: buildStep(input) })
  } catch (error) {
    port.postMessage({ fault: (error as Error).message })
  }
})
