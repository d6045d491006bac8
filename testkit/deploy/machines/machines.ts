import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

export interface Machine {
  /** Runs a script as root, as if it was pasted into a shell; resolves with what it printed. */
  run(text: string, values?: Readonly<Record<string, string>>): Promise<string>
  /** Copies a file of this system to the machine. */
  receive(from: string, to: string): Promise<void>
  boot(): Promise<void>
  /** As if its power was cut. Its disk stays. */
  crash(): Promise<void>
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

const script = (name: string) => join(import.meta.dirname, `${name}.sh`)
const cgroupTrees = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup']

/**
 * A network with machines on it, in namespaces of its own. A machine has its own systemd, file system, processes and
 * addresses, and begins with what is installed here. Nothing outlives this process.
 */
export async function openNetwork() {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-machines-'))
  const cgroup = `gateway-machines-${process.pid}`
  const world = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['--propagation', 'private', 'sh', script('world'), folder],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([
    once(world.stdout, 'data'),
    once(world, 'exit').then(() => Promise.reject(new Error('no namespaces'))),
  ])
  const init = readFileSync(`/proc/${world.pid}/task/${world.pid}/children`, 'utf8').trim()
  const inWorld = ['--target', init, '--mount', '--net', '--pid', '--']
  const enter = (...command: string[]) => execFileSync('nsenter', [...inWorld, ...command], { encoding: 'utf8' })

  return {
    folder,
    /** Adds an address without a machine, for a client. */
    join: (name: string, address: string) => void enter('sh', script('join'), name, address),
    /** Starts a program of this system at the address of `name`. */
    spawnAt: (name: string, ...command: string[]) =>
      spawn('nsenter', [...inWorld, 'ip', 'netns', 'exec', name, ...command], { stdio: ['ignore', 'pipe', 'pipe'] }),
    /** The machine runs once `boot` resolves. */
    machine: (name: string) => createMachine({ name, folder, cgroup, inWorld, enter }),
    async close() {
      world.kill('SIGKILL')
      await once(world, 'exit')
      for (const tree of cgroupTrees) await removeGroups(join(tree, cgroup))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface MachineOptions {
  readonly name: string
  readonly folder: string
  readonly cgroup: string
  readonly inWorld: readonly string[]
  readonly enter: (...command: string[]) => string
}

function createMachine({ name, folder, cgroup, inWorld, enter }: MachineOptions): Machine {
  const readInit = () => enter('sh', '-c', 'cat "$0" 2>/dev/null || true', join(folder, name, 'init')).trim()
  let init = ''
  let ended: Promise<unknown> = Promise.resolve()

  const inMachine = () => ['nsenter', '--target', init, '--all', '--root', '--']

  const run: Machine['run'] = async (text, values = {}) => {
    const variables = Object.entries({ ...shellVariables, ...values }).map(([key, value]) => `${key}=${value}`)
    const shell = spawn('nsenter', [
      ...[...inWorld, ...inMachine()],
      ...['env', '--chdir=/root', '-i', ...variables, 'bash', '-seuo', 'pipefail'],
    ])
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
    shell.stdin.end(text)
    const [code] = await once(shell, 'close')
    if (code !== 0) throw new Error(`machine ${name}, exit code ${code}:\n${text}\n--- printed:\n${output}`)
    return output
  }
  return {
    run,
    async receive(from, to) {
      // A disk that is mounted by the machine alone: the file goes through its shell's input.
      const shell = spawn('nsenter', [...inWorld, ...inMachine(), 'dd', `of=${to}`, 'status=none', 'bs=1M'], {
        stdio: ['pipe', 'ignore', 'inherit'],
      })
      await pipeline(createReadStream(from), shell.stdin)
      await once(shell, 'close')
    },
    async boot() {
      enter('rm', '--force', join(folder, name, 'init'))
      const machine = spawn('nsenter', [...inWorld, 'sh', script('start'), name, folder, cgroup], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      ended = once(machine, 'exit')
      for (init = ''; init === ''; init = readInit()) await delay(50)
      // `degraded` is up, too: this system may have units that fail in a machine.
      const isUp = () =>
        run('systemctl is-system-running || true').then(
          (state) => /running|degraded/.test(state),
          () => false,
        )
      while (!(await isUp())) {
        if (machine.exitCode !== null) throw new Error(`machine ${name} did not boot`)
        await delay(200)
      }
    },
    async crash() {
      enter('kill', '-KILL', init)
      await ended
    },
  }
}

const shellVariables = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
}

/** Those of the machines, the innermost first, as soon as their processes are gone. */
async function removeGroups(group: string): Promise<void> {
  if (!existsSync(group)) return
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeGroups(join(group, entry.name))
  }
  for (;;) {
    try {
      return rmdirSync(group)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
      await delay(50)
    }
  }
}
