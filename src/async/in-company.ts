import { config } from "../config";

/** Waits for work, but no longer than `config.companyMs`. */
export async function inCompany(work: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const company = new Promise((resolve) => {
    timer = setTimeout(resolve, config.companyMs);
  });
  await Promise.race([work, company]).finally(() => clearTimeout(timer));
}
