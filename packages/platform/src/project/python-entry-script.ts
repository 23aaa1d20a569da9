/**
 * A Python script that describes the `run_tool` of a file as JSON (`PythonEntry`). It parses the file
 * without running it. Its argument is the file's path.
 */
export const pythonEntryScript = `
import ast, json, sys

def describe(path):
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), "src/tool.py")
    except SyntaxError as error:
        return {"syntaxError": f"{error.msg} in line {error.lineno}"}
    except (ValueError, RecursionError, MemoryError) as error:
        return {"syntaxError": str(error) or type(error).__name__}
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "run_tool":
            every = node.args
            names = every.posonlyargs + every.args + every.kwonlyargs
            others = every.posonlyargs + every.kwonlyargs
            found = {
                "kind": "function",
                "parameters": [each.arg for each in names]
                + (["*" + every.vararg.arg] if every.vararg else [])
                + (["**" + every.kwarg.arg] if every.kwarg else []),
                "hasOtherParameters": bool(others or every.vararg or every.kwarg),
            }
        elif isinstance(node, ast.ClassDef) and node.name == "run_tool":
            found = {"kind": "other"}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(each, ast.Name) and each.id == "run_tool" for each in targets):
                found = {"kind": "other"}
    return found

print(json.dumps(describe(sys.argv[1])))
`;
