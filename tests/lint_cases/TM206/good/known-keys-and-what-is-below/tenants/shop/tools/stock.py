def stock(results, args, ctx):
    ctx["logger"].info("starts")
    session, config = ctx["session"], ctx["config"]
    session["last"] = args.get("sku")
    key = args["key"]
    found = [ctx["tenant"], ctx["chat_id"], ctx["user_id"], ctx["api_config"], ctx["files_path"]]
    found += [config["settings"]["vars"]["shop"], session["anything"], ctx[key]]
    own = {**ctx, "extra": 1}
    ctx["logger"].success("done", {"extra": own["extra"]})
    return {"found": found}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
