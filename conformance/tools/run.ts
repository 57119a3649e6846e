/** Runs a tool and returns its output. */
export const run = async (command: readonly string[], cwd?: string): Promise<{ text: string; exitCode: number }> => {
  const child = Bun.spawn([...command], { ...(cwd !== undefined && { cwd }), stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { text: stdout + stderr, exitCode };
};
