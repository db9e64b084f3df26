import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy on 127.0.0.1 that a test can cut like a pulled cable: connections stay open and nothing gets through, in either direction, and
 * new ones are accepted into the void. After `restore` the old connections are gone and new ones work.
 */
export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #targetPort: () => number;
  #isCut = false;

  private constructor(targetPort: () => number) {
    this.#targetPort = targetPort;
    this.#server = createServer((near) => this.#carry(near));
  }

  /** The target's port is asked for at each connection, so that the proxy may be there before its target. */
  static async start(targetPort: () => number): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(targetPort);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    return address.port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  restore(): void {
    this.#isCut = false;
    this.#dropAll();
  }

  async stop(): Promise<void> {
    this.#dropAll();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #carry(near: Socket): void {
    this.#keep(near);
    if (this.#isCut) {
      near.pause();
      return;
    }
    const far = connect(this.#targetPort(), '127.0.0.1');
    this.#keep(far);
    this.#forward(near, far);
    this.#forward(far, near);
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  /** No pipe(): it would resume a paused source as soon as its target has drained. */
  #forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!to.destroyed) to.write(bytes);
    });
    // While the cable is cut neither side learns of the other's end.
    from.once('close', () => {
      if (!this.#isCut) to.destroy();
    });
  }
}
