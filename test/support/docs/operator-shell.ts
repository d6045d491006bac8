import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The text of a block that a page prints after `<!-- name -->`. */
export function printedBlock(page: string, name: string): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../..', page), 'utf8')
  const block = new RegExp(`<!-- ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(text)
  if (!block) throw new Error(`${page} has no block "${name}"`)
  return block[1]!
}

export interface ShellOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  /** Whose rights the commands have; by default those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/** A shell that keeps its variables from block to block, like the one that an operator pastes them into. */
export function openShell({ environment, cwd, user }: ShellOptions) {
  const shell = spawn('sh', ['-eu'], { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'], ...user })
  const exited = once(shell, 'exit')
  let output = ''
  const end = 'the block has ended'
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return {
    /** Resolves with what it printed; rejects if a command failed. */
    async run(block: string): Promise<string> {
      output = ''
      const done = new Promise<void>((resolve) => {
        const look = () => {
          if (!output.includes(`${end}\n`)) return
          shell.stdout.off('data', look)
          resolve()
        }
        shell.stdout.on('data', look)
      })
      shell.stdin.write(`${block}\necho "${end}"\n`)
      await Promise.race([
        done,
        exited.then(([code]) => {
          throw new Error(`exit code ${code} from:\n${block}\n${output}`)
        }),
      ])
      return output.replace(`${end}\n`, '')
    },
    async close(): Promise<void> {
      shell.stdin.end()
      await exited
    },
  }
}
