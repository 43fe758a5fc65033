/** Pages that the extension writes: read only, and gone without a question when they are closed. */

import * as vscode from "vscode";

const SCHEME = "seepage";

export class Documents implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Show Markdown as it is written, ready to be copied. */
  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(this.put(name, text)), {
      preview: true,
    });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  private put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }
}
