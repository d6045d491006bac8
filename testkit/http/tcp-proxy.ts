import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** How many connections it has accepted. */
  readonly accepted: () => number
  /** New connections go to these ports of the loopback address, in turns; a port that refuses is skipped. */
  setTargets(...ports: number[]): void
  /** Like a network that went down: no byte passes any more, in either direction, and no connection is reset. */
  goSilent(): void
  /** New connections work again, and those that went silent are reset. */
  comeBack(): void
  close(): void
}

/** Passes TCP connections on. */
export async function startTcpProxy(...ports: number[]): Promise<TcpProxy> {
  let targets = ports
  let turn = 0
  let isSilent = false
  const open = new Set<Connection>()
  const server = createServer((client) => {
    turn += 1
    const order = targets.map((_, place) => targets[(turn + place) % targets.length]!)
    const connection = new Connection(client)
    open.add(connection)
    // A silent one is still open at its target.
    client.on('close', () => !connection.isSilent && open.delete(connection))
    if (isSilent) connection.goSilent()
    else connection.reach(order)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endWhere = (isOver: (connection: Connection) => boolean) => {
    for (const connection of open) {
      if (!isOver(connection)) continue
      connection.destroy()
      open.delete(connection)
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => turn,
    setTargets: (...next) => {
      targets = next
    },
    goSilent: () => {
      isSilent = true
      for (const connection of open) connection.goSilent()
    },
    comeBack: () => {
      isSilent = false
      endWhere((connection) => connection.isSilent)
    },
    close: () => {
      endWhere(() => true)
      server.close()
    },
  }
}

class Connection {
  isSilent = false
  readonly #client: Socket
  #target: Socket | null = null

  constructor(client: Socket) {
    this.#client = client
    client.on('error', () => {})
    client.on('close', () => this.#end())
  }

  /** Connects to the first port that accepts. */
  reach([port, ...others]: readonly number[]): void {
    if (port === undefined || this.#client.destroyed) {
      this.destroy()
      return
    }
    const target = connect(port, '127.0.0.1')
    this.#target = target
    target.once('error', () => this.reach(others))
    target.once('connect', () => {
      target.removeAllListeners('error')
      target.on('error', () => {})
      target.on('close', () => this.#end())
      this.#client.on('data', (chunk) => !this.isSilent && target.write(chunk))
      target.on('data', (chunk) => !this.isSilent && this.#client.write(chunk))
      // Half-closed connections stay so.
      this.#client.on('end', () => !this.isSilent && target.end())
      target.on('end', () => !this.isSilent && this.#client.end())
    })
  }

  goSilent(): void {
    this.isSilent = true
  }

  destroy(): void {
    this.isSilent = false
    this.#end()
  }

  #end(): void {
    // The other side of a dead network hears nothing of it.
    if (this.isSilent) return
    this.#client.destroy()
    this.#target?.destroy()
  }
}
