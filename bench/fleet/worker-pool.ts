import { startWorkerProcess, type WorkerProcess } from "./site.ts";

/** Worker processes of which each is replaced when it is killed, as systemd or Kubernetes do. */
export class WorkerPool {
  readonly #place: { readonly url: string; readonly home: string };
  readonly #environment: Record<string, string>;
  readonly #alive: WorkerProcess[] = [];
  readonly #ended: WorkerProcess[] = [];

  constructor(
    place: { readonly url: string; readonly home: string },
    { workers, environment }: { readonly workers: number; readonly environment: Record<string, string> },
  ) {
    this.#place = place;
    this.#environment = environment;
    for (let i = 0; i < workers; i++) this.#alive.push(this.start());
  }

  /** One more worker, with a home of its own if one is given. It is not replaced. */
  start(home = this.#place.home): WorkerProcess {
    const options = { slots: 2, heartbeat: 10, environment: this.#environment };
    return startWorkerProcess({ url: this.#place.url, home }, options);
  }

  get pids(): number[] {
    return this.#alive.map(({ child }) => child.pid!);
  }

  /** Kills a worker without warning, and starts another. */
  kill(pid = this.pids[Math.floor(Math.random() * this.#alive.length)]): void {
    const at = this.#alive.findIndex(({ child }) => child.pid === pid);
    if (at === -1) return;
    const [killed] = this.#alive.splice(at, 1, this.start());
    killed!.child.kill("SIGKILL");
    this.#ended.push(killed!);
  }

  /** The lines that all workers have logged, also those that were killed. */
  lines(): Record<string, unknown>[] {
    return [...this.#ended, ...this.#alive].flatMap((worker) => worker.lines());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#alive.map((worker) => worker.stop()));
  }
}
