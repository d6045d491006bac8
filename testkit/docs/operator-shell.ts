import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from '../gateway/compile-cache.ts'

const root = resolve(import.meta.dirname, '../..')

/** The text of a block that a page prints after `<!-- name -->`. */
export function printedBlock(page: string, name: string): string {
  const text = readFileSync(join(root, page), 'utf8')
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

/** Where an operator stands: what the archive of the program has, and room for files. */
export async function programFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-operations-'))
  for (const name of ['package.json', 'src', 'console', 'deploy', 'node_modules']) {
    await symlink(join(root, name), join(folder, name))
  }
  return folder
}

/** Resolves with what the commands printed; rejects, with all of it, if one failed. */
export async function runInShell(text: string, cwd: string, environment: Readonly<Record<string, string>> = {}) {
  const PATH = [join(cwd, 'bin'), process.env.PATH].join(delimiter)
  const env = { PATH, NODE_COMPILE_CACHE: compileCache, npm_config_cache: join(cwd, 'npm'), ...environment }
  try {
    return (await promisify(execFile)('sh', ['-euc', text], { cwd, env })).stdout
  } catch (cause) {
    const { stdout, message } = cause as Error & { readonly stdout: string }
    throw new Error(`${message}\n${stdout}`, { cause })
  }
}
