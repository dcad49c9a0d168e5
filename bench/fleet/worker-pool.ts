import { startWorkerProcess, type WorkerPlace, type WorkerProcess } from "./site.ts";

export type PoolOptions = {
  readonly workers: number;
  /** Jobs at once in each of them. */
  readonly slots: number;
  readonly environment: Record<string, string>;
};

/** Worker processes of which each is replaced when it is killed, as systemd or Kubernetes do. */
export class WorkerPool {
  readonly #place: WorkerPlace;
  readonly #environment: Record<string, string>;
  readonly #slots: number;
  readonly #alive: WorkerProcess[] = [];
  readonly #ended: WorkerProcess[] = [];
  readonly #extra: WorkerProcess[] = [];

  constructor(place: WorkerPlace, { workers, slots, environment }: PoolOptions) {
    this.#place = place;
    this.#environment = environment;
    this.#slots = slots;
    for (let i = 0; i < workers; i++) this.#alive.push(this.#start());
  }

  /** One more worker, with a home of its own. It is not replaced. */
  startExtra(home: string): WorkerProcess {
    const worker = this.#start(home);
    this.#extra.push(worker);
    return worker;
  }

  #start(home = this.#place.home): WorkerProcess {
    const options = { slots: this.#slots, heartbeat: 10, environment: this.#environment };
    return startWorkerProcess({ ...this.#place, home }, options);
  }

  get pids(): number[] {
    return this.#alive.map(({ child }) => child.pid!);
  }

  /** Kills a worker without warning, and starts another. */
  kill(pid = this.pids[Math.floor(Math.random() * this.#alive.length)]): void {
    const at = this.#alive.findIndex(({ child }) => child.pid === pid);
    if (at === -1) return;
    const [killed] = this.#alive.splice(at, 1, this.#start());
    killed!.child.kill("SIGKILL");
    this.#ended.push(killed!);
  }

  /** The lines that all workers have logged, also those that were killed. */
  lines(): Record<string, unknown>[] {
    return [...this.#ended, ...this.#alive].flatMap((worker) => worker.lines());
  }

  /** Seconds of CPU of all workers so far, and of the processes that they have started and that have ended. */
  cpu(): number {
    const all = [...this.#ended, ...this.#alive, ...this.#extra].map((worker) => worker.cpu());
    return all.reduce((sum, { own, git }) => sum + own + git, 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#alive.map((worker) => worker.stop()));
  }
}
