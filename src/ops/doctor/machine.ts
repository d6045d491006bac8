import type { Stats } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { request } from '../../base/node-http.ts'
import { timeoutSignal } from '../../base/timers.ts'
import type { Address } from '../../config/variables.ts'
import { pricingVersion } from '../../contract/prices.ts'
import { memoryFlags } from '../memory-flags.ts'
import { type Finding, findingsOf } from './finding.ts'

interface DataDirectoryFacts {
  readonly dataDir: string
  /** The file of the embedded store; null when the store is a database server. */
  readonly storeFile: string | null
  /** Whether the secret is kept there. */
  readonly holdsSecret: boolean
  readonly holdsOutbox: boolean
}

const { ok, warning, failure } = findingsOf('data directory')

/** Checks that the directory exists, is writable, and is private to the gateway's user. */
export async function checkDataDirectory(facts: DataDirectoryFacts): Promise<Finding[]> {
  const { dataDir, storeFile, holdsSecret, holdsOutbox } = facts
  const directory = await statOrNull(dataDir)
  if (!directory) {
    const isNeeded = storeFile !== null || holdsSecret || holdsOutbox
    return [
      isNeeded
        ? warning(
            `${dataDir} does not exist`,
            'The gateway creates it at its first start; for another directory, set GATEWAY_DATA_DIR.',
            [`${dataDir} 不存在`, '网关首次启动时会自动创建；要换目录，请设置 GATEWAY_DATA_DIR。'],
          )
        : ok('not needed: nothing is kept there', '无需使用，其中不保存数据'),
    ]
  }
  if (!directory.isDirectory())
    return [
      failure(`${dataDir} is not a directory`, 'Set GATEWAY_DATA_DIR to a directory.', [
        `${dataDir} 不是目录`,
        '请将 GATEWAY_DATA_DIR 设为一个目录。',
      ]),
    ]

  const findings = [...checkOwner(dataDir, directory), ...checkPrivacy(dataDir, directory, '700')]
  const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) {
    findings.push(
      failure(`${dataDir} is not writable`, 'Run as the user that owns it, or fix its permissions.', [
        `${dataDir} 不可写`,
        '请以其所有者的身份运行，或修正权限。',
      ]),
    )
  }
  const names = ['secret', 'sms-outbox.jsonl', 'email-outbox.jsonl']
  const files = [...names.map((name) => join(dataDir, name)), ...(storeFile ? [storeFile, `${storeFile}.lock`] : [])]
  for (const file of files) {
    const stats = await statOrNull(file)
    if (stats) findings.push(...checkOwner(file, stats), ...checkPrivacy(file, stats, '600'))
  }
  if (holdsSecret && !(await statOrNull(join(dataDir, 'secret')))) {
    findings.push(
      warning(
        'there is no secret yet',
        'The gateway creates it at its first start; if accounts already exist, put the old secret back.',
        ['还没有主密钥', '网关首次启动时会自动生成；如果已有账号，请放回原来的主密钥。'],
      ),
    )
  }
  return findings.length > 0
    ? findings
    : [ok(`${dataDir} is private and writable`, `${dataDir} 可写，且仅当前用户可读`)]
}

/** For backups and archives that are kept there, and for the store's own growth. */
const reserveBytes = 512_000_000

/** Checks that an upgrade has room for the copy that it makes of the embedded store, in the same directory. A database server has its own disk. */
export async function checkDisk(
  { storeFile }: Pick<DataDirectoryFacts, 'storeFile'>,
  freeBytesOf = freeBytes,
): Promise<Finding[]> {
  if (storeFile === null || !(await statOrNull(dirname(storeFile)))) return []
  const disk = findingsOf('disk')
  const files = await Promise.all([storeFile, `${storeFile}-wal`].map(statOrNull))
  const storeBytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  const neededBytes = storeBytes + reserveBytes
  const free = await freeBytesOf(dirname(storeFile))
  const needed = `${megabytes(neededBytes)} are needed: ${megabytes(storeBytes)} for the copy that an upgrade makes of the store, ${megabytes(reserveBytes)} in reserve`
  const zhNeeded = `需要 ${megabytes(neededBytes)}：升级时复制存储 ${megabytes(storeBytes)}，备用空间 ${megabytes(reserveBytes)}`
  if (free >= neededBytes)
    return [disk.ok(`${megabytes(free)} free; ${needed}`, `剩余 ${megabytes(free)}；${zhNeeded}`)]
  return [
    disk.warning(
      `only ${megabytes(free)} free; ${needed}`,
      'Remove old copies, backups and archives that are also kept elsewhere, or enlarge the disk.',
      [`仅剩 ${megabytes(free)}；${zhNeeded}`, '请删除已在别处保存的旧副本、备份和归档，或扩容磁盘。'],
    ),
  ]
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`

const statOrNull = (path: string): Promise<Stats | null> => stat(path).catch(() => null)

/** The gateway cannot open files that another user creates. */
function checkOwner(path: string, { uid }: Stats): Finding[] {
  const user = process.getuid?.()
  if (user === undefined || uid === user) return []
  return [
    warning(`${path} belongs to another user`, 'Run this command as the user that runs the gateway.', [
      `${path} 属于其他用户`,
      '请以运行网关的用户身份执行。',
    ]),
  ]
}

function checkPrivacy(path: string, { mode }: Stats, wanted: string): Finding[] {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  return [
    warning(`${path} can be read by other users`, `Run: chmod ${wanted} ${path}`, [
      `其他用户可以读取 ${path}`,
      `请运行：chmod ${wanted} ${path}`,
    ]),
  ]
}

interface Listeners {
  readonly origin: URL
  readonly listen: Address
  readonly operatorListen: Address | null
}

export async function checkListeners({ origin, listen, operatorListen }: Listeners): Promise<Finding[]> {
  return [
    await checkOperator(operatorListen),
    ...(await checkMemory(operatorListen)),
    await checkPublic(listen, origin),
  ]
}

async function checkOperator(address: Address | null): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('operator listener')
  if (!address) return ok('is off', '未启用')
  const response = await get(address, '/readyz')
  if (!response) return silent(warning, address)
  if (response.status === 200) return ok(`${formatAddress(address)} is ready`, `${formatAddress(address)} 已就绪`)
  const problems = response.body.trim().replaceAll('\n', '; ')
  return response.status === 503
    ? failure(`not ready: ${problems}`, 'Wait, or look at the gateway log.', [
        `未就绪：${problems}`,
        '请稍候，或查看网关日志。',
      ])
    : failure(`${formatAddress(address)} is another program`, 'Stop it, or change GATEWAY_OPERATOR_LISTEN.', [
        `${formatAddress(address)} 被其他程序占用`,
        '请停止该程序，或修改 GATEWAY_OPERATOR_LISTEN。',
      ])
}

const silent = (warning: ReturnType<typeof findingsOf>['warning'], address: Address) =>
  warning(`nothing responds at ${formatAddress(address)}`, 'Start the gateway: npm start', [
    `${formatAddress(address)} 没有响应`,
    '请启动网关：npm start',
  ])

/** The flags of the gateway's process, which it reports as a metric: this may be another process. */
async function checkMemory(address: Address | null): Promise<Finding[]> {
  const metrics = address && (await get(address, '/metrics'))
  const missing = /^gateway_memory_flags_missing (\d+)$/m.exec(metrics?.body ?? '')?.[1]
  if (missing === undefined) return []
  const { ok, warning } = findingsOf('memory')
  return missing === '0'
    ? [ok('is limited by the start command', '已通过启动参数限制')]
    : [
        warning(
          'the gateway was started without the options that limit its memory',
          `Start it with: node ${memoryFlags.join(' ')} src/main.ts`,
          ['网关启动时没有限制内存', `请这样启动：node ${memoryFlags.join(' ')} src/main.ts`],
        ),
      ]
}

async function checkPublic(address: Address, origin: URL): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('public listener')
  const response = await get(address, '/v1/pricing', origin.host)
  if (!response) return silent(warning, address)
  if (response.status === 421) {
    return failure(
      `the gateway at ${formatAddress(address)} serves another origin`,
      `Start it with ${origin.origin}.`,
      [`${formatAddress(address)} 上的网关使用另一个访问地址`, `请以 ${origin.origin} 启动。`],
    )
  }
  const isOurs = response.status === 200 && response.body.includes(`"${pricingVersion}"`)
  return isOurs
    ? ok(`${formatAddress(address)} serves ${origin.host}`, `${formatAddress(address)} 正在为 ${origin.host} 服务`)
    : failure(`${formatAddress(address)} is another program`, 'Stop it, or change GATEWAY_LISTEN.', [
        `${formatAddress(address)} 被其他程序占用`,
        '请停止该程序，或修改 GATEWAY_LISTEN。',
      ])
}

const timeoutMs = 3000
const bodyLimitChars = 1_000_000

function get({ host, port }: Address, path: string, hostHeader?: string) {
  return new Promise<{ status: number; body: string } | null>((resolve) => {
    const options = { host: reachable(host), port, path, agent: false, signal: timeoutSignal(timeoutMs) }
    const call = request(
      { ...options, headers: { host: hostHeader ?? formatAddress({ host: reachable(host), port }) } },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (body.length < bodyLimitChars) body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.on('error', () => resolve(null))
      },
    )
    call.on('error', () => resolve(null))
    call.end()
  })
}

/** A listener on all addresses also listens on loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

const formatAddress = ({ host, port }: Address) => `${host.includes(':') ? `[${host}]` : host}:${port}`
